"""The desk of a small bicycle workshop, answered by Gemini."""
