"""Where models run: onnxruntime at the desk (`native`), onnxruntime-web in the tab (`web`)."""
