"""What is asked: typed DSPy signatures, one module per stage. Classes only, no logic.

Importing this package does not import DSPy; its submodules other than `types` do.
"""
