"""Frozen nouns, units and money. Imports no room."""
