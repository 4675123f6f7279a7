//! Declares a command whose subcommands are the files below it.

/// Declares `Args` with the subcommands and a function that runs the chosen one.
///
/// A row is a subcommand and its file; values in parentheses are passed to the file's `run` between its arguments and the
/// place. Doc comments are help texts.
macro_rules! command_group {
    (
        $(#[$about:meta])*
        fn $run:ident {
            $($(#[$help:meta])* $verb:ident => $file:ident $(($($with:expr),+))?,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, clap::Args)]
        pub(crate) struct Args {
            #[command(subcommand)]
            verb: Verb,
        }

        #[derive(Debug, clap::Subcommand)]
        enum Verb {
            $($(#[$help])* $verb($file::Args),)+
        }

        /// Runs the subcommand of the command line.
        pub(crate) fn $run(args: &Args, place: &super::Place) -> anyhow::Result<crate::exit::Exit> {
            match &args.verb {
                $(Verb::$verb(args) => $file::run(args, $($($with,)+)? place),)+
            }
        }
    };
}

pub(super) use command_group;
