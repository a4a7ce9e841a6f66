enum CarbScanPlaceholder {}
