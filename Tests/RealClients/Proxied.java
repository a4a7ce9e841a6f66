import java.io.FileInputStream;
import java.net.Authenticator;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The JDK's HttpClient behind the proxy of HTTP_PROXY, whose 407 it answers; prints a line "STATUS TEXT" for each URL. */
public class Proxied {
    private static SSLContext trusting(String file) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (FileInputStream stream = new FileInputStream(file)) {
            store.setCertificateEntry("root", CertificateFactory.getInstance("X.509").generateCertificate(stream));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }

    public static void main(String[] urls) throws Exception {
        // By default it answers no challenge for Basic of a proxy that it opens a tunnel through.
        System.setProperty("jdk.http.auth.tunneling.disabledSchemes", "");
        URI proxy = URI.create(System.getenv("HTTP_PROXY"));
        String[] user = proxy.getUserInfo().split(":", 2);
        HttpClient client = HttpClient.newBuilder()
            .proxy(ProxySelector.of(new InetSocketAddress(proxy.getHost(), proxy.getPort())))
            .authenticator(new Authenticator() {
                @Override
                protected PasswordAuthentication getPasswordAuthentication() {
                    return new PasswordAuthentication(user[0], user[1].toCharArray());
                }
            })
            .sslContext(trusting(System.getenv("UNDERSTUDY_CA_FILE")))
            .build();
        for (String url : urls) {
            HttpResponse<String> answer = client.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
            System.out.println(answer.statusCode() + " " + answer.body().replace("\n", " "));
        }
    }
}
