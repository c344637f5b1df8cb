"""Hold what was generated against the emulator, the compiler, witnesses and numpy.

* :func:`layoutgen.validate.run.validate`: the legs L0 to L3 over artefacts on disk, as a
  :class:`layoutgen.validate.report.Report`.
* :func:`layoutgen.validate.mutation.matrix`: L4, the kill matrix.
* :mod:`layoutgen.validate.probe`: what an instruction does, seen from outside.

From a file to a finding: :mod:`.folder` finds files, :mod:`.artefacts` reads them, the ``read_``
modules make tables and claims of them (:mod:`.evidence`), :mod:`.legs` holds those against a
:class:`layoutgen.validate.subject.Subject`, the instruction as the emulator knows it.
"""
