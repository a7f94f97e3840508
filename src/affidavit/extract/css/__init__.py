"""As much of CSS as decides whether a reader sees a text: cascade, values, selectors, colours. No layout engine.

The view is fixed: a screen, 1,280 by 800 pixels, light colour scheme, scripts on for what queries ask about it,
nothing hovered, focused or clicked. Only ``style`` elements and attributes count; other sheets are not loaded.
"""
