"""Panels about latent structures."""
