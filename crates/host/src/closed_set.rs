//! Declares an enum together with the list of all its variants, so that none can be missing from the list.

macro_rules! closed_set {
    ($(#[$about:meta])* pub enum $name:ident { $($(#[$variant_about:meta])* $variant:ident,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$variant_about])* $variant,)*
        }

        impl $name {
            /// Every variant, in the order of the declaration.
            pub const ALL: [Self; [$(stringify!($variant)),*].len()] = [$(Self::$variant,)*];
        }
    };
}

pub(crate) use closed_set;
