-- What was done from an address or a network: by how it begins, since pairs of every address would be made with every
-- row that is written, and an import writes a hundred thousand.
create index audit_log_ip on audit_log (ip text_pattern_ops, at);
