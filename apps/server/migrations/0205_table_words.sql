-- Generated code takes its texts from these comments, and the screens have these words.
comment on table warn_record is '警情记录';
comment on table warn_rule is '接警规则';
