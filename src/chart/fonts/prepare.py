"""Sets a font for the text drawing of plotters: `prepare.py FROM TO`.

plotters draws the outline of a letter from the pen on, whatever space is before it, and takes the height of a line for
1.24 em. So a line without area leads each outline to its origin, lines are 1.24 em high, and letters lie so low that the
middle of a text is where `dy="0.5ex"` puts it in an SVG.
"""
import sys

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

font = TTFont(sys.argv[1])
em = font["head"].unitsPerEm
down = round(0.15 * em)
letters, outlines = font.getGlyphSet(), font["glyf"]


def prepared(name):
    recording, pen = DecomposingRecordingPen(letters), TTGlyphPen(None)
    letters[name].draw(recording)
    recording.replay(TransformPen(pen, (1, 0, 0, 1, 0, -down)))
    if outlines[name].numberOfContours and outlines[name].xMin > 0:
        low = outlines[name].yMin - down
        pen.moveTo((0, low))
        pen.lineTo((1, low))
        pen.closePath()
    return pen.glyph()


for name, outline in [(name, prepared(name)) for name in font.getGlyphOrder()]:
    outlines[name] = outline
    outline.recalcBounds(outlines)
    font["hmtx"][name] = (font["hmtx"][name][0], getattr(outline, "xMin", 0))
font["hhea"].ascent, font["hhea"].descent, font["hhea"].lineGap = em, em - round(1.24 * em), 0
font.save(sys.argv[2])
