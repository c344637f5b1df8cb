"""A project with rocm-docs-core, which asks the network for versions: a stub answers."""

import os

import requests

os.environ["ROCM_DOCS_REMOTE_DETAILS"] = "https://example.org,main"


class Answer:
    """What the theme gets for every address: a list of versions."""

    status_code = 200
    ok = True
    text = "rocm:0.0.0"
    content = b""

    def json(self):
        return {}

    def raise_for_status(self):
        pass


requests.get = lambda *args, **kwargs: Answer()

project = "Test"
version = release = "1"
copyright = "nobody"
extensions = ["rocm_docs", "layoutgen.sphinx", "layoutgen.sphinx.mathml"]
html_theme = "rocm_docs_theme"
html_theme_options = {"flavor": "generic"}
external_projects_remote_repository = ""
external_projects = []
external_projects_current_project = "test"
external_toc_path = "_toc.yml"
external_toc_template_path = "_toc.yml.in"
suppress_warnings = ["etoc.toctree"]
numfig = True
