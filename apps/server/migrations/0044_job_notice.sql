-- How a job of somebody ended: a notice to him alone, which belongs to no department and goes with the job.
alter table notice
  alter column dept_id drop not null,
  add column job_id bigint constraint notice_job_key unique constraint notice_job_fkey references job (id) on delete cascade,
  add constraint notice_of check ((dept_id is null) = (job_id is not null));
