"""The screen a page is read on. Fixed, so that the same bytes always give the same text."""

WIDTH = 1280.0
HEIGHT = 800.0
FONT_SIZE = 16.0
