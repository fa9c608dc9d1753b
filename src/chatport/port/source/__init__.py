"""Files as bytes: finding them, decoding and parsing them, editing spans of them."""
