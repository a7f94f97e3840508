"""Hostile pages, a model that does all they want, and what of it gets through (`suites.injection` measures it)."""
