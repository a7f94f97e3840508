"""The computed style of an element, and whether text in it is seen."""

from dataclasses import dataclass, field
from typing import Any

from affidavit.extract.css import color as colors
from affidavit.extract.css import view
from affidavit.extract.css.color import Color
from affidavit.extract.css.effects import Tint, tinted

# The thresholds below separate what cannot be read from what is merely faint. On the development pages and on 1,439
# real ones no text lies between the hidden cases and these limits; they were not swept further.
MIN_OPACITY = 0.05
MIN_FONT_SIZE = 2.0
# A line around letters, in pixels, and a blur, in pixels and in em, that leaves a shade.
MIN_STROKE = 0.3
MAX_BLUR = 20.0
# Text is unseen when both hold: #eee on white has 1.16, and one step of grey has 1.01 (difference 0.004).
MIN_CONTRAST = 1.1
MIN_DIFFERENCE = 0.12
# Boxes thinner than this show nothing of a line.
MIN_BOX = 2.0
# Without layout a box's own width is unknown. Shifts beyond these take a line of usual length out of the page; a page
# can be scrolled right and down, but nobody looks 3,000 pixels to the right.
FAR_LEFT = -900.0
FAR_RIGHT = 3000.0
FAR_UP = -2000.0
# From the top of the page a paragraph's height is enough.
FAR_UP_FROM_TOP = -200.0


@dataclass(slots=True)
class Style:
    """The computed style of an element. Treated as frozen once computed; colours in sRGB, lengths in pixels.

    `backdrops` are the colours that may lie behind text (several behind a gradient), None where a picture does.
    `x`, `y` are offsets from where the element would stand; `anchor_x`, `anchor_y` those of the containing block.
    `block_x`, `line_indent` and `beneath` are those of the block that an inline element stands in: an inline shift or
    background does not reach the blocks inside. `snug`: the box cuts off what overflows it and is as large as its
    content, so a box of no height inside shows nothing. `shaped`: an inline element with a clip path, which no block
    inside is within. `tints`: the filters that letters and backgrounds pass, but for the very backdrops that are
    `outside` of them. `lineless`: lines have no height, which hides them in a box `flattened` to its lines. `frame`:
    the size of a containing block that cuts off what is placed beyond it. `layered`: painted above what is not, in the
    order of `stacked`; `contextual`: what is inside is ordered among itself only. `raised`: set in smaller or moved
    letters above the line (True) or below it (False). `escapable`: an absolutely positioned descendant is not clipped
    by the empty box.
    """

    display: str = "inline"
    visible: bool = True
    size: float = view.FONT_SIZE
    color: Color = colors.BLACK
    fill: Color | None = None
    backdrops: tuple[Color, ...] | None = (colors.WHITE,)
    beneath: tuple[Color, ...] | None = (colors.WHITE,)
    opacity: float = 1.0
    shadows: tuple[Color, ...] = ()
    stroke: Color | None = None
    stroke_width: float = 0.0
    tints: tuple[Tint, ...] = ()
    outside: tuple[Color, ...] | None = None
    zoom: float = 1.0
    lineless: bool = False
    flattened: bool = False
    frame: tuple[float, float] | None = None
    painted: bool = False
    indent: float = 0.0
    line_indent: float = 0.0
    white_space: str = "normal"
    x: float = 0.0
    y: float = 0.0
    block_x: float = 0.0
    anchor_x: float = 0.0
    anchor_y: float = 0.0
    anchored: bool = False
    width: float | None = None
    cut: bool = False
    clipped: bool = False
    escapable: bool = False
    snug: bool = False
    shaped: bool = False
    off: bool = False
    struck: bool = False
    reordered: bool = False
    masked: bool = False
    gap: bool = False
    raised: bool | None = None
    covers: bool = False
    stacked: int = 0
    layered: bool = False
    positioned: bool = False
    contextual: bool = False
    containers: frozenset[str] = frozenset()
    custom: dict[str, tuple[Any, ...]] = field(default_factory=dict[str, tuple[Any, ...]])
    shows: bool = True
    plain: dict[Any, "Style"] = field(default_factory=dict[Any, "Style"])

    @property
    def is_gone(self) -> bool:
        """Nothing below can be seen, whatever it declares."""
        return self.display == "none" or self.opacity < MIN_OPACITY or (self.clipped and not self.escapable)

    @property
    def is_in_line(self) -> bool:
        """Whether the element has no box of its own that lengths and backgrounds apply to."""
        return self.display in ("inline", "contents")

    def child(self, display: str) -> "Style":
        """A child without declarations: what is inherited, and what its box is inside of."""
        in_line = display in ("inline", "contents")
        stays_in_line = in_line or display == "inline-block"
        return Style(
            display=display,
            visible=self.visible,
            size=self.size,
            color=self.color,
            fill=self.fill,
            backdrops=self.backdrops if stays_in_line else self.beneath,
            beneath=self.beneath,
            opacity=self.opacity,
            shadows=self.shadows,
            stroke=self.stroke,
            stroke_width=self.stroke_width,
            tints=self.tints,
            outside=self.outside,
            zoom=self.zoom,
            lineless=self.lineless,
            flattened=self.flattened,
            frame=self.frame,
            painted=self.painted,
            indent=self.indent,
            line_indent=self.line_indent if in_line else self.indent,
            white_space=self.white_space,
            x=self.x if stays_in_line else self.block_x,
            y=self.y,
            block_x=self.block_x,
            anchor_x=self.anchor_x,
            anchor_y=self.anchor_y,
            anchored=self.anchored,
            cut=self.cut if in_line else False,
            shaped=self.shaped and in_line,
            clipped=self.clipped or (self.shaped and not in_line),
            escapable=self.escapable,
            off=self.off,
            struck=self.struck,
            reordered=self.reordered,
            masked=self.masked,
            containers=self.containers,
            custom=self.custom,
            shows=self.shows,
        )


def is_shown(style: Style) -> bool:
    """Whether text directly inside is seen."""
    if not style.visible or style.off or style.masked or style.clipped:
        return False
    if style.opacity < MIN_OPACITY or style.size * style.zoom < MIN_FONT_SIZE or (style.flattened and style.lineless):
        return False
    if not FAR_LEFT < style.x < FAR_RIGHT or style.y <= FAR_UP or style.x + style.line_indent <= FAR_LEFT:
        return False
    if style.cut and style.line_indent >= 600:
        return False
    return style.painted or any(_stands_out(style, letters) for letters in _letters(style))


def _letters(style: Style) -> tuple[Color, ...]:
    """The colours that letters are drawn in: inside, around and behind."""
    stroke = (style.stroke or style.color,) if style.stroke_width >= MIN_STROKE else ()
    return (style.fill or style.color, *stroke, *style.shadows)


def _stands_out(style: Style, letters: Color) -> bool:
    """Whether letters, or their shadow, differ from what lies behind them."""
    if letters[3] * style.opacity < MIN_OPACITY:
        return False
    if style.backdrops is None:
        return True
    if style.tints:
        letters = tinted(letters, style.tints)
    if not style.tints and letters[3] >= 1 and style.backdrops == (colors.WHITE,) and letters[:3] == (0.0, 0.0, 0.0):
        return True
    for backdrop in style.backdrops:
        if style.tints and style.backdrops is not style.outside:
            backdrop = tinted(backdrop, style.tints)
        drawn = colors.over(letters, backdrop)
        if colors.difference(drawn, backdrop) >= MIN_DIFFERENCE or colors.contrast(drawn, backdrop) >= MIN_CONTRAST:
            return True
    return False
