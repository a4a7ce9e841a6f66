enum CompressionPlaceholder {}
