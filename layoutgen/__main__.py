"""``python -m layoutgen``: the same as the command ``layoutgen``."""

from layoutgen.cli import main

raise SystemExit(main())
