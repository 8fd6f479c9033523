-- What the system found when it issued an order, as figures, so that both languages and links derive from it.
alter table supervise_order add column evidence jsonb check (jsonb_typeof(evidence) = 'object');
