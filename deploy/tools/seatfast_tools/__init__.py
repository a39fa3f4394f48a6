"""What the commands below deploy/ share. Python 3.9 or newer, and nothing but its standard library."""
