-- One line that measure.py reads: latencies in microseconds, counts of everything that went wrong.
done = function(summary, latency, requests)
    local wrong = summary.errors
    io.write(string.format(
        "RESULT requests=%d microseconds=%d p50=%d p90=%d p99=%d max=%d status=%d broken=%d\n",
        summary.requests, summary.duration,
        latency:percentile(50), latency:percentile(90), latency:percentile(99), latency.max,
        wrong.status, wrong.connect + wrong.read + wrong.write + wrong.timeout
    ))
end
