//! Charts of every kind of mark and of odd data: well formed, and no text leaves the picture or meets another.
