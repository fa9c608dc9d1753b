"""What a run says: to a person, to a machine."""
