//! The serialized forms of other crates' types in our journals.

/// A timestamp as milliseconds since 1970.
pub(crate) mod millis {
    use serde::{Deserialize, Deserializer, Serializer};
    use store::Timestamp;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    pub(crate) fn serialize<S: Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(at.as_millis())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
        u64::deserialize(deserializer).map(Timestamp::from_millis)
    }
}

/// An optional timestamp as milliseconds since 1970.
pub(crate) mod optional_millis {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use store::Timestamp;

    #[expect(clippy::ref_option, reason = "serde calls it with a reference")]
    pub(crate) fn serialize<S: Serializer>(at: &Option<Timestamp>, serializer: S) -> Result<S::Ok, S::Error> {
        at.map(Timestamp::as_millis).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Timestamp>, D::Error> {
        Ok(Option::<u64>::deserialize(deserializer)?.map(Timestamp::from_millis))
    }
}

/// A host event as its name in the contract.
pub(crate) mod event_name {
    use event::EventName;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    pub(crate) fn serialize<S: Serializer>(event: &EventName, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(event.as_str())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<EventName, D::Error> {
        let name = String::deserialize(deserializer)?;
        EventName::from_contract(&name).ok_or_else(|| D::Error::custom("not one of the eight events"))
    }
}
