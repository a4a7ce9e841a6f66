# Made by scripts/formula from the sums of a release; the release has it as understudy.rb.
class Understudy < Formula
  desc "Emulates mobile backends on your own machine"
  homepage "https://example.invalid/understudy"
  version "0.1.0"
  license "MIT"

  on_macos do
    depends_on "jpeg-turbo"
    depends_on "libpng"
    depends_on "libyaml"
    depends_on "openssl@3"
    depends_on "qrencode"
    depends_on "sqlite"
    on_arm do
      url "https://example.invalid/understudy/releases/download/v0.1.0/understudy-0.1.0-macos-arm64.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
  end

  on_linux do
    on_arm do
      url "https://example.invalid/understudy/releases/download/v0.1.0/understudy-0.1.0-linux-arm64.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
    on_intel do
      url "https://example.invalid/understudy/releases/download/v0.1.0/understudy-0.1.0-linux-amd64.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
  end

  def install
    bin.install "bin/understudy"
    # The shared libraries that not every Linux has; the program looks for them here.
    (lib/"understudy").install Dir["lib/understudy/*"]
    man1.install "share/man/man1/understudy.1"
    bash_completion.install "share/bash-completion/completions/understudy"
    zsh_completion.install "share/zsh/site-functions/_understudy"
    fish_completion.install "share/fish/vendor_completions.d/understudy.fish"
    pkgshare.install Dir["share/licenses/understudy"] => "licenses"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/understudy --version")
    system bin/"understudy", "exec", "--", "true"
  end
end
