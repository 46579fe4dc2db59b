//! TLS, with HTTP/2 by ALPN.

use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::ServerConfig;
use tokio_rustls::TlsAcceptor;

/// Of two files in PEM.
pub fn acceptor(cert: &str, key: &str) -> Result<TlsAcceptor, String> {
    let chain = CertificateDer::pem_file_iter(cert)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|why| format!("the certificate {cert} cannot be read: {why}"))?;
    if chain.is_empty() {
        return Err(format!("there is no certificate in {cert}"));
    }
    let private = PrivateKeyDer::from_pem_file(key)
        .map_err(|why| format!("the key {key} cannot be read: {why}"))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| {
            builder
                .with_no_client_auth()
                .with_single_cert(chain, private)
        })
        .map_err(|why| format!("{cert} and {key} are of no use: {why}"))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
