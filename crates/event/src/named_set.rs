//! Declares an enum together with the names of its variants, so that no variant lacks its name.

/// Declares a public enum whose every variant has one name in files and messages: `VARIANT = "name",` per variant.
/// The enum gets `ALL`, `name` and `parse`.
#[macro_export]
macro_rules! named_set {
    ($(#[$about:meta])* pub enum $enum:ident; $($(#[$variant_about:meta])* $variant:ident = $name:literal,)*) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $enum {
            $($(#[$variant_about])* $variant,)*
        }

        impl $enum {
            /// Every variant, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the name used in files, reasons and JSON.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Returns the variant with this name; `None` for any other text.
            pub fn parse(name: &str) -> Option<Self> {
                Some(match name {
                    $($name => Self::$variant,)*
                    _ => return None,
                })
            }
        }
    };
}
