"""What a person may write where something is refused: see `advice`."""
