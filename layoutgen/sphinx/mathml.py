"""An HTML math renderer without scripts: LaTeX becomes MathML while the pages are built.

Docutils' own converter does the work. It is provisional, so it is called in one place
(:func:`_convert`), and what it leaves undone is put right on the tree that it returns.

Load it as the extension ``layoutgen.sphinx.mathml``; Sphinx then takes it for every formula
(``html_math_renderer = "mathml"`` says so explicitly). LaTeX that the converter does not know
is a warning ``layoutgen.math`` at its line, and the page shows the source as code.
"""

from __future__ import annotations

import html
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from docutils import nodes
from docutils.utils.math import toplevel_code
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.locale import _
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

from layoutgen import __version__

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.util.typing import ExtensionMetadata
    from sphinx.writers.html5 import HTML5Translator

__all__ = ["UnsupportedMathError", "setup", "to_mathml"]

logger = logging.getLogger(__name__)

STYLESHEET = "layoutgen-mathml.css"
_STATIC = Path(__file__).parent / "static"
_CLASS = "math mathml notranslate nohighlight"

# Environments that LaTeX wants and the converter does not know, and their nearest equivalent.
_ENVIRONMENTS = {
    "align": "aligned",
    "alignedat": "aligned",
    "eqnarray": "aligned",
    "equation": "aligned",
    "gather": "matrix",
    "gathered": "matrix",
    "split": "aligned",
}
_ENVIRONMENT = re.compile(r"\\(begin|end)\{(" + "|".join(_ENVIRONMENTS) + r")\*?\}")
# The converter never closes the group of \pmb; the alphabet is right for letters and closes.
_BOLD = re.compile(r"\\(pmb|boldsymbol)(?![A-Za-z])")
_ROW_GAP = re.compile(r"\\\\\[[^\]]*\]")
_TAB = re.compile(r"(?<!\\)&")
_FENCES = {"⌊": "⌋", "⌈": "⌉", "{": "}", "⟨": "⟩"}
_ROWS = ("math", "mrow", "mtd", "msqrt", "mstyle", "mphantom")


class UnsupportedMathError(ValueError):
    """LaTeX that has no MathML here; the message says what was not understood."""


@cache
def to_mathml(latex: str, *, block: bool = False) -> str:
    r"""Return ``latex`` as one ``<math>`` element.

    A ``block`` may hold several rows (``\\``, or a blank line between two equations), aligned
    at ``&``; the environments of amsmath are understood as far as MathML has them.

    Raises :class:`UnsupportedMathError` where the LaTeX is unknown or incomplete.
    """
    root = _convert(_as_rows(latex) if block else latex, block=block)
    _strip_layout(root)
    for element in list(root.iter()):
        if element.tag == "mn" and "," in (element.text or ""):
            _split_number(element)
        if element.tag == "mtable" and element.get("class") == "ams-align":
            element.set("displaystyle", "true")
        if element.text == "/":  # MathML's dictionary spaces it like a plus, TeX does not
            element.set("lspace", "0")
            element.set("rspace", "0")
        if element.tag in _ROWS:
            _pair_fences(element)
    root.set("alttext", " ".join(latex.split()))
    return ET.tostring(root, encoding="unicode")


def _convert(latex: str, *, block: bool) -> ET.Element:
    """Run the converter and read what it wrote, as plain elements without a namespace."""
    latex = _BOLD.sub(r"\\mathbfit", latex)
    try:
        text = tex2mathml(latex, as_block=block)
        # The one named entity it writes is unknown to XML, and so to EPUB.
        root = ET.fromstring(text.replace("&ApplyFunction;", "\u2061"))
    except (SyntaxError, ValueError) as error:
        raise UnsupportedMathError(str(error).rstrip(".!")) from error
    except (AttributeError, LookupError, TypeError) as error:
        raise UnsupportedMathError("the formula is incomplete") from error
    namespace = root.tag.rpartition("}")[0].removeprefix("{")
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    root.set("xmlns", namespace)
    return root


def _as_rows(latex: str) -> str:
    """Write several equations as rows of one ``aligned`` environment."""
    parts = [part.strip().removesuffix(r"\\") for part in re.split(r"\n\s*\n", latex.strip())]
    code = _ROW_GAP.sub(r"\\\\", r" \\ ".join(parts))
    code = _ENVIRONMENT.sub(lambda m: rf"\{m[1]}{{{_ENVIRONMENTS[m[2]]}}}", code)
    outside = toplevel_code(code)
    if r"\\" in outside or _TAB.search(outside):
        return rf"\begin{{aligned}}{code}\end{{aligned}}"
    return code


def _strip_layout(root: ET.Element) -> None:
    """Drop the converter's indentation: inside ``white-space: pre`` it would show."""
    for element in root.iter():
        element.tail = None
        if len(element):
            element.text = None
        elif element.text and element.tag != "mtext":
            element.text = element.text.strip()


def _split_number(number: ET.Element) -> None:
    """Make two numbers of ``0,1``: a comma is punctuation in LaTeX, with space behind it."""
    first, *others = (number.text or "").split(",")
    number.tag, number.text = "mrow", None
    ET.SubElement(number, "mn").text = first
    for text in others:
        ET.SubElement(number, "mo").text = ","
        ET.SubElement(number, "mn").text = text


def _pair_fences(row: ET.Element) -> None:
    """Give each pair of brackets a row of its own.

    A bracket in MathML is as tall as the row it stands in, so that the floor of *i* beside a
    fraction would be as tall as the fraction. In a row of its own it fits what it encloses.
    """
    done: list[ET.Element] = []
    opened: list[int] = []
    for child in row:
        done.append(child)
        if child.tag != "mo" or "minsize" in child.attrib:
            continue
        if child.text in _FENCES:
            opened.append(len(done) - 1)
        elif opened and child.text == _FENCES[done[opened[-1]].text or ""]:
            start = opened.pop()
            if (start, len(done)) != (0, len(row)):
                group = ET.Element("mrow")
                group.extend(done[start:])
                done[start:] = [group]
    row[:] = done


def _render(self: HTML5Translator, node: nodes.math | nodes.math_block, *, block: bool) -> str:
    """Return the MathML of ``node``, or its source as code after a warning."""
    try:
        return to_mathml(node.astext(), block=block)
    except UnsupportedMathError as error:
        logger.warning(
            "no MathML for this formula, its source is shown: %s",
            error,
            location=node,
            type="layoutgen",
            subtype="math",
        )
        return f'<code class="mathml-source">{html.escape(node.astext().strip())}</code>'


def visit_math(self: HTML5Translator, node: nodes.math) -> None:
    """Write an inline formula."""
    self.body.append(self.starttag(node, "span", "", CLASS=_CLASS))
    self.body.append(_render(self, node, block=False) + "</span>")
    raise nodes.SkipNode


def visit_math_block(self: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula of its own, with its number and permalink where it has a label."""
    self.body.append(self.starttag(node, "div", "", CLASS=_CLASS))
    if node["number"]:
        number = get_node_equation_number(self, node)
        self.body.append(f'<span class="eqno">({number})')
        self.add_permalink_ref(node, _("Link to this equation"))
        self.body.append("</span>")
    formula = _render(self, node, block=True)
    self.body.append(f'<div class="mathml-scroll">{formula}</div></div>\n')
    raise nodes.SkipNode


def _add_static_path(app: Sphinx, config: Config) -> None:
    """Offer the stylesheet to the builders that copy static files."""
    if str(_STATIC) not in config.html_static_path:
        config.html_static_path.append(str(_STATIC))


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the renderer under the name ``mathml``, and its stylesheet."""
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_math_block, None))
    app.connect("config-inited", _add_static_path)
    app.add_css_file(STYLESHEET)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
