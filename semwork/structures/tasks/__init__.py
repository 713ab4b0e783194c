"""Tasks for LCLR."""
