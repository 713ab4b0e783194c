"""The panel of the lesson on semantic kernels."""
