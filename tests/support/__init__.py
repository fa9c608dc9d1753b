"""What several test rooms share."""
