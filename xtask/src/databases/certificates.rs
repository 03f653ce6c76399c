//! Makes a private certificate authority and what it signed, for tests of encrypted connections.

use std::path::PathBuf;

use anyhow::Result;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair, date_time_ymd,
};

use crate::machine::temp::Folder;

/// Where the certificates of a server are.
pub(super) struct Certificates {
    pub(super) authority: PathBuf,
    pub(super) certificate: PathBuf,
    pub(super) key: PathBuf,
}

/// Writes them into a folder, for a server at 127.0.0.1. Tests find there, too, `expired.pem` (for the same key), a
/// client's `client.pem` and `client.key`, and `stranger.pem`, another authority.
pub(super) fn make(folder: &Folder) -> Result<Certificates> {
    let authority = authority("Listing tests")?;
    let key = KeyPair::generate()?;
    let server = CertificateParams::new(["127.0.0.1".to_owned()])?;
    let mut expired = server.clone();
    expired.not_before = date_time_ymd(2020, 1, 1);
    expired.not_after = date_time_ymd(2021, 1, 1);
    let client_key = KeyPair::generate()?;
    let mut client = named("tls_client")?;
    client.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];

    folder.write("ca.pem", &authority.pem())?;
    folder.write("stranger.pem", &self::authority("Strangers")?.pem())?;
    let certificate = server.signed_by(&key, &authority)?;
    folder.write("server.pem", &certificate.pem())?;
    folder.write("valid.pem", &certificate.pem())?;
    folder.write("server.key", &key.serialize_pem())?;
    let expired = expired.signed_by(&key, &authority)?;
    folder.write("expired.pem", &expired.pem())?;
    let client = client.signed_by(&client_key, &authority)?;
    folder.write("client.pem", &client.pem())?;
    folder.write("client.key", &client_key.serialize_pem())?;
    Ok(Certificates {
        authority: folder.join("ca.pem"),
        certificate: folder.join("server.pem"),
        key: folder.join("server.key"),
    })
}

fn authority(name: &str) -> Result<CertifiedIssuer<'static, KeyPair>> {
    let mut params = named(name)?;
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    Ok(CertifiedIssuer::self_signed(params, KeyPair::generate()?)?)
}

fn named(name: &str) -> Result<CertificateParams> {
    let mut params = CertificateParams::new(Vec::new())?;
    params.distinguished_name.push(DnType::CommonName, name);
    Ok(params)
}
