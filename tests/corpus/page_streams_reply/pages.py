"""A page framework in a few lines."""


def write_stream(pieces):
    """Show pieces as they come; the whole text is returned."""
    text = ""
    for piece in pieces:
        print("+", piece)
        text += piece
    return text
