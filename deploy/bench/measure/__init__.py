"""Measures Seatfast: how much it gets through, and how fast it starts."""
