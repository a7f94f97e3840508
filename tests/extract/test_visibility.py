"""What styles hide, and what they only seem to. In each page HID must not come out, and every SEE must.

The truths were checked with a Chromium on the side: the letters of the words were reversed, and the picture compared.
Where the picture changes by a hair only (4 % opacity, one step of grey) or needs a file that is not loaded, the truth is
our choice. One page a line, however long.
"""
# ruff: noqa: E501

import pytest

from affidavit.extract import html

URL = "https://example.com/"


def text(markup: str) -> str:
    return html.walk(html.parse(markup, URL), URL).text


@pytest.mark.parametrize(
    "markup",
    [
        '<p style="transform:scale3d(0,1,1)">HID</p>',
        "<style>:root{--d:none}.a{display:var(--d)}</style><p class=a>HID</p>",
        "<style>.a{display:var(--zz,none)}</style><p class=a>HID</p>",
        "<style>@layer a,b;@layer b{.x{display:block}}@layer a{.x{display:none}}</style><p class=x>SEE</p>",
        "<style>@layer a{.x{display:none!important}}.x{display:block!important}</style><p class=x>HID</p>",
        "<style>.x{display:block}@layer a{p.x{display:none}}</style><p class=x>SEE</p>",
        "<style>.a{color:red;.b{display:none}}</style><div class=a><p class=b>HID</p></div><p class=b>SEE</p>",
        '<style>.a{&.b{display:none}}</style><p class="a b">HID</p><p class=b>SEE</p>',
        "<style>.a{@media screen{display:none}}</style><p class=a>HID</p>",
        "<style>@supports (display:grid){.a{display:none}}@supports not (display:grid){.b{display:none}}</style><p class=a>HID</p><p class=b>SEE</p>",
        "<style>:is(.a .b,#q) > i{display:none}</style><div class=a><p class=b><i>HID</i></p></div>",
        "<style>p:not(.k){display:none}</style><p>HID</p><p class=k>SEE</p>",
        "<style>div:has(> .t){display:none}</style><div><b class=t></b>HID</div><div>SEE</div>",
        "<style>p:nth-of-type(2n+1){display:none}</style><p>HID</p><p>SEE</p><p>HID</p>",
        "<style>p:last-child{display:none}</style><div><p>SEE</p><p>HID</p></div>",
        "<style>h2 + p{display:none} h3 ~ p{visibility:hidden}</style><h2>SEE</h2><p>HID</p><p>SEE</p><h3>SEE</h3><b>SEE</b><p>HID</p>",
        "<!doctype html><style>#Foo{display:none}</style><p id=foo>SEE</p><p id=Foo>HID</p>",
        "<style>.HID{display:none}</style><p class=hid>HID</p>",
        '<div style="font-size:0">HID<span style="font-size:16px">SEE</span></div>',
        '<div style="font-size:0"><span style="font-size:2em">HID</span></div>',
        '<p style="font-size:calc(1px - 1px)">HID</p>',
        '<p style="color:hsl(0 0% 100%)">HID</p>',
        '<div style="background:#000"><div><p style="color:#010101">HID</p><p style="color:#fff">SEE</p></div></div>',
        '<h1 style="background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent">SEE</h1>',
        '<div style="background:url(a.png)"><p style="color:#fff">SEE</p></div>',
        '<p style="color:#fff;text-shadow:0 0 2px #000">SEE</p>',
        '<p style="-webkit-text-fill-color:transparent">HID</p>',
        '<div style="height:0;overflow:hidden"><p style="position:absolute">SEE</p></div>',
        '<div style="height:0;overflow:hidden;position:relative"><p style="position:absolute">HID</p></div>',
        '<div style="height:0;overflow:hidden;padding-bottom:56%">SEE</div>',
        '<div style="position:absolute;left:-10000px"><p style="position:absolute;left:10000px">SEE</p></div>',
        "<style>@keyframes f{from{opacity:0}to{opacity:1}}.f{opacity:0;animation:f 1s forwards}</style><p class=f>SEE</p>",
        "<style>@keyframes f{to{opacity:0}}.f{animation:f 1s both}</style><p class=f>HID</p>",
        "<style>p{display:none}.k{display:revert}</style><p class=k>SEE</p>",
        '<div style="visibility:hidden"><p style="visibility:inherit">HID</p></div>',
        "<style>.k{display:block}</style><p hidden class=k>SEE</p>",
        '<p style="display:none!important;display:block">HID</p>',
        '<style>p{display:none!important}</style><p style="display:block">HID</p>',
        "<style>p{dis/**/play:none} .z{display:/*x*/none}</style><p>SEE</p><p class=z>HID</p>",
        "<style>@media (max-width:600px){p{display:none}}@media not all and (min-width:600px){p{display:none}}@media (width>=1000px){b{display:none}}</style><p>SEE</p><b>HID</b>",
        "<style media=print>p{display:none}</style><p>SEE</p>",
        '<details><summary style="display:none">HID</summary><p>HID</p></details>',
        "<div popover=manual>HID</div>",
        '<p style="unicode-bidi:bidi-override;direction:rtl">HID</p>',
        '<body bgcolor=white><font color=white>HID</font><font color="#ffffff">HID</font></body>',
        '<div style="opacity:.2"><div style="opacity:.2">HID</div></div>',
        "<svg><text x=1 y=2>SEE</text><title>HID</title></svg>",
        '<svg style="display:none"><text>HID</text></svg>',
        '<p style="position:fixed;top:100vh">HID</p><p style="position:fixed;right:-400px;width:300px">HID</p>',
        '<p style="margin-left:-9999px">HID</p>',
        '<p style="transform:translate(-200vw)">HID</p><p style="position:relative;left:50%;transform:translateX(-50%)">SEE</p>',
        '<div style="position:relative">HID<div style="position:absolute;top:0;left:0;width:100%;height:100%;background:#fff">SEE</div></div>',
        '<div style="position:relative">SEE<div style="position:absolute;inset:0;background:rgba(0,0,0,.2)"></div></div>',
        '<div style="position:relative">SEE<div style="position:absolute;inset:0;background:#fff;z-index:-1"></div></div>',
        '<p style="max-height:0px;overflow:clip">HID</p>',
        '<p style="width:0;overflow:hidden;white-space:nowrap">HID</p>',
        '<span style="width:0;height:0;overflow:hidden">SEE</span>',
        '<p style="clip-path:polygon(0 0,0 0,0 0)">HID</p>',
        '<p style="d\\69splay:none">HID</p>',
        '<P STYLE="DISPLAY:NONE">HID</P>',
        '<style>[class*="hid" i]{display:none}</style><p class=xHIDx>HID</p>',
        "<style>*|p{display:none}</style><p>HID</p>",
        "<style>:where(#a){display:none} p{display:block}</style><p id=a>SEE</p>",
        '<link rel=stylesheet href="data:text/css,p{display:none}"><p>HID</p>',
        '<div style="display:contents"><p>SEE</p></div>',
        "<div><template shadowrootmode=open><slot name=x></slot></template><p>HID</p><p slot=x>SEE</p></div>",
        '<div style="content-visibility:hidden">HID</div>',
        '<h1 style="display:none"><p>HID</p></h1>',
        '<p style="color:oklch(1 0 0)">HID</p>',
        '<p style="color:color-mix(in srgb,white,white)">HID</p>',
        '<p style="color:#333;background:currentColor">HID</p>',
        "<style>:root{--w:255}p{color:rgb(var(--w),var(--w),var(--w))}</style><p>HID</p>",
        '<div style="color:#fff"><a href=x>SEE</a>HID</div>',
        "<style>@scope(.s){p{display:none}}</style><div class=s><p>HID</p></div><p>SEE</p>",
        "<style>p{display:none</style><p>HID</p>",
        "<style>p, ..x{display:none}</style><p>SEE</p>",
        "<style>p::before{display:none} p:hover{display:none}</style><p>SEE</p>",
        '<table><tr style="display:none"><td>HID</td></tr><tr><td>SEE</td><td style="visibility:collapse">HID</td></tr></table>',
        '<p style="filter:opacity(0%)">HID</p>',
        '<p style="opacity:0.9;position:relative;left:5px">SEE</p>',
        '<p style="text-indent:100%;white-space:nowrap;overflow:hidden">HID</p>',
        "<style>style{display:block}</style><p>SEE</p>",
        "<style>p{display:none}.k{all:revert}</style><p class=k>SEE</p>",
        '<p style="font:0/0 a">HID</p><p style="font:italic bold 0px/1 serif">HID</p><p style="font: 12px serif">SEE</p>',
        '<div style="height:0;overflow:auto">HID</div>',
        '<p style="clip:rect(1px,1px,1px,1px);position:absolute">HID</p><p style="clip:rect(0,0,0,0)">SEE</p>',
        "<style>@supports (display:foo){.x{display:none}}</style><p class=x>SEE</p>",
        "<style>@supports not (display:foo){.x{display:none}}</style><p class=x>HID</p>",
        "<style>.x,.y::foo{display:none}</style><p class=x>SEE</p>",
        "<style>.x,.y:foo{display:none}</style><p class=x>SEE</p>",
        "<style>.x,.y::after{display:none}</style><p class=x>HID</p><p class=y>SEE</p>",
        "<style>@container (min-width:1px){.x{display:none}}</style><p class=x>SEE</p>",
        "<style>div{container-type:inline-size}@container (min-width:1px){.x{display:none}}</style><div><p class=x>HID</p></div><p class=x>SEE</p>",
        "<style>div{container:a/size}@container a (min-width:1px){.x{display:none}}@container b (min-width:1px){.y{display:none}}</style><div><p class=x>HID</p><p class=y>SEE</p></div>",
        '<style>@property --d{syntax:"*";inherits:true;initial-value:none}.x{display:var(--d)}</style><p class=x>HID</p>',
        '<style>@property --d{syntax:"*";inherits:false;initial-value:none}.x{display:var(--d)}</style><div style="--d:block"><p class=x>HID</p><p class=x style="--d:block">SEE</p></div>',
        "<style>@property --d{initial-value:none}.x{display:var(--d)}</style><p class=x>SEE</p>",
        '<p style="color:transparent;-webkit-text-stroke:0 #000">HID</p><p style="color:#fff;-webkit-text-stroke:1px">HID</p>',
        '<div style="filter:invert(1)"><p style="background:#fff">SEE</p><p style="color:#fff">SEE</p><p>HID</p></div>',
        '<p style="line-height:0;overflow:hidden"><b style="line-height:1">SEE</b></p>',
        '<div style="position:relative;width:300px;height:50px;overflow:hidden"><p style="position:absolute;top:500px">HID</p><p style="position:absolute;top:20px">SEE</p></div>',
        '<div style="position:relative;width:300px;height:50px;overflow:hidden"><p style="position:absolute;left:400px;width:900px">HID</p><p style="position:absolute;bottom:100%">HID</p></div>',
        '<div style="position:relative;width:300px;height:50px;overflow:hidden"><p style="position:absolute;left:100%">HID</p><p style="position:absolute;left:-80px;width:60px">HID</p></div>',
        '<div style="position:relative;width:300px;height:50px"><p style="position:absolute;top:500px">SEE</p></div>',
        '<div style="position:relative;width:300px;height:50px;overflow:auto"><p style="position:absolute;top:500px">SEE</p></div>',
        '<div style="position:relative;width:300px;overflow:hidden"><p style="height:600px">SEE</p><p style="position:absolute;top:500px">SEE</p></div>',
        '<div style="width:300px;height:50px;overflow:hidden"><p style="position:absolute;top:500px">SEE</p></div>',
        '<div style="position:relative;height:50px;overflow:hidden"><div style="position:relative;top:-60px"><p style="position:absolute;top:50px">SEE</p></div></div>',
        '<div style="position:relative;height:50px;overflow:hidden"><p style="position:absolute;top:100%;margin:0;transform:translateY(-100%)">SEE</p></div>',
    ],
)
def test_a_reader_sees_what_the_cascade_leaves_visible(markup: str) -> None:
    found = text(markup)
    assert "HID" not in found
    assert found.count("SEE") == markup.count("SEE")


@pytest.mark.parametrize(
    "style",
    [
        "opacity:.04",
        "font-size:1px",
        "color:#fefefe",
        "color:#fff;text-shadow:0 0 2px #fff",
        "display:inline-block;width:1px;height:1px;overflow:hidden",
        "position:absolute;left:-999px",
        "position:absolute;top:-300px",
        "position:absolute;right:100vw",
        "display:block;translate:-100vw",
        "display:block;rotate:y 90deg",
        "display:block;scale:0",
        "display:block;transform:matrix(0,0,0,0,0,0)",
        "display:block;clip-path:ellipse(0 0)",
        "clip-path:xywh(0 0 0 0)",
        "-webkit-text-security:disc",
        "color:lab(100% 0 0)",
        "color:hwb(0 100% 0)",
        "background:#000",
        "background:linear-gradient(#000,#010101)",
        "display:none !important",
        "mask:linear-gradient(transparent,transparent)",
        "-webkit-mask-image:linear-gradient(rgba(0,0,0,0),#0000)",
        "display:block;filter:blur(100px)",
        "display:block;filter:contrast(0) opacity(1) brightness(100)",
        "display:block;filter:invert(1)",
        "display:block;filter:brightness(0);background:#333",
        "display:block;filter:contrast(0);background:#eee",
        "zoom:0.001",
        "zoom:1%",
        "display:block;line-height:0;overflow:hidden",
        "display:block;font:16px/0 serif;overflow:hidden",
        "display:block;contain:strict;height:0",
        "display:block;contain:paint;max-height:0",
        "display:block;transform:rotate3d(1,0,0,90deg)",
        "display:block;transform:rotateX(45deg) rotateX(45deg)",
        "display:block;transform:rotateY(.25turn)",
        "display:block;rotate:1 1 0 90deg",
        "display:block;transform:perspective(1px) translateZ(-99999px)",
        "display:block;transform:perspective(100px) translateZ(200px)",
        "display:block;transform:matrix(1,0,0,0,0,0)",
        "display:block;transform:matrix3d(0,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1)",
        "display:block;transform:scale(.2) scale(.2)",
        "display:block;max-block-size:0;overflow:hidden",
        "display:block;block-size:0;overflow-block:hidden",
        "display:inline-block;max-inline-size:0;overflow:hidden",
        "position:absolute;inset-inline-start:-999px",
        "position:absolute;inset-inline:-999px auto",
        "position:absolute;inset-block:-300px auto",
        "display:block;margin-inline:-2000px 0",
        "VISIBILITY:HIDDEN",
        "display:var(--undefined,none)",
        "--a:var(--b);--b:none;display:var(--a)",
        "font:calc(1px*0)/1 serif",
    ],
)
def test_a_style_attribute_can_hide(style: str) -> None:
    assert text(f"<!DOCTYPE html><p>before <span style='{style}'>HID</span></p>") == "before"


@pytest.mark.parametrize(
    "style",
    [
        "opacity:.06",
        "font-size:8px",
        "color:#ddd",
        "color:#f00;background:#080",
        "display:block;max-height:3em;overflow:hidden",
        "position:absolute;left:-20px",
        "display:block;transform:rotate(180deg)",
        "display:block;text-indent:-2em;padding-left:2em",
        "clip:rect(0,0,0,0)",
        "clip-path:inset(10%)",
        "overflow:hidden;width:0",
        "background:url(x.png);color:#fff",
        "display:none;display:inline",
        "--a:var(--b);--b:var(--a);display:var(--a)",
        "color:var(--undefined)",
        "visibility:hidden;visibility:visible",
        "disp/**/lay:none",
        "-moz-display:none",
        "margin-left:auto;left:auto",
        "mask:linear-gradient(#000,transparent)",
        "mask:url(a.png)",
        "display:block;filter:blur(2px)",
        "display:block;filter:contrast(0)",
        "display:block;filter:brightness(0)",
        "display:block;filter:invert(1) invert(1)",
        "display:block;filter:invert(1);background:#fff",
        "display:block;filter:grayscale(1) drop-shadow(0 0 2px red)",
        "zoom:0",
        "zoom:.5",
        "line-height:0",
        "display:block;line-height:0;overflow:hidden;height:20px",
        "display:block;line-height:0;overflow:hidden;padding-top:20px",
        "display:block;line-height:1;overflow:hidden",
        "display:block;contain:strict;height:30px",
        "display:block;contain:layout;height:0",
        "color:transparent;-webkit-text-stroke:1px #000",
        "color:#fff;-webkit-text-stroke-width:1px;-webkit-text-stroke-color:red",
        "display:block;transform:rotate3d(0,0,1,90deg)",
        "display:block;transform:rotateX(180deg)",
        "display:block;transform:perspective(1000px) translateZ(-50px)",
        "display:block;transform:scale(.01) scale(100)",
        "display:block;transform:translateZ(-99999px)",
        "display:block;transform:translate(-50%,-50%) rotate(90deg)",
        "display:block;max-block-size:0;overflow:hidden;padding-block:20px",
        "display:block;min-block-size:20px;block-size:0;overflow:hidden",
        "display:block;max-block-size:none;overflow:hidden",
    ],
)
def test_a_style_attribute_that_does_not_hide_is_no_reason_to_drop(style: str) -> None:
    assert text(f"<!DOCTYPE html><p>before <span style='{style}'>SEE</span></p>").split() == ["before", "SEE"]


def test_unseen_text_that_takes_up_space_leaves_a_gap_and_other_does_not() -> None:
    assert text("<p>10<span style=visibility:hidden>x</span>6") == "10 6"
    assert text("<p>10<span style=display:none>x</span>6") == "106"


def test_flex_items_and_padded_inline_boxes_do_not_run_together() -> None:
    assert text("<div style=display:flex><span>45</span><span>9</span></div>") == "45\n\n9"
    assert text("<p>45<span style=padding-left:4px>9</span>") == "45 9"
    assert text("<p><span style=display:block>45</span><span style=display:block>9</span>") == "45\n\n9"


def test_display_makes_rows_of_other_elements() -> None:
    rows = "<div style=display:table-row><i style=display:table-cell>a</i><i style=display:table-cell>b</i></div>"
    assert text(f"<div style=display:table>{rows}</div>") == "a\tb"


@pytest.mark.parametrize(
    "css",
    [
        " ".join(["*"] * 300) + "{display:none}",
        ":root{" + "".join(f"--v{i}:var(--v{i + 1});" for i in range(2000)) + "--v2000:none}b{display:var(--v0)}",
        ":root{--v0:x;" + "".join(f"--v{i + 1}:var(--v{i}) var(--v{i});" for i in range(60)) + "}p{color:var(--v60)}",
        "a{" * 400 + "display:none",
        "p" + ":is(p" * 200 + ")" * 200 + "{display:none}",
        "p{width:" + "calc(" * 500 + "1px" + ")" * 500 + "}",
        "@media (" * 300 + ")" * 300 + "{p{display:none}}",
        "".join(f".c{i} .d{i} > p:nth-child({i}){{display:none}}" for i in range(2000)),
        "@layer a.b.c, " * 500 + "x;",
        "p{color:rgb(1e999,0,0);left:1e999px;width:1e-999px}",
        "\ufffd{}<!-- p{display --> }",
    ],
)
def test_hostile_sheets_are_survived(css: str) -> None:
    assert text(f"<style>{css}</style><div><p>SEE</p></div>") == "SEE"


def test_a_long_chain_of_variables_still_hides() -> None:
    chain = "".join(f"--v{i}:var(--v{i + 1});" for i in range(2000))
    assert text(f"<style>:root{{{chain}--v2000:none}}p{{display:var(--v0)}}</style><p>HID</p><b>SEE</b>") == "SEE"
