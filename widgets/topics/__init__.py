"""Panels about topics."""
