enum TrendyPlaceholder {}
