"""Plans for programs that ask again and again: editors and agents."""
