enum ImagingPlaceholder {}
