"""From the blocks in which weights are published to the tensors that a graph reads.

A generator's weights are kept once, in the blocks of the GGUF file that they came in (`blocks`), and each graph's own
layout is computed from them (`layouts`), step by step (`plan`): at the desk when a model is converted, in the tab
when it is loaded. The same code runs in both, so that both read the same bytes.
"""
