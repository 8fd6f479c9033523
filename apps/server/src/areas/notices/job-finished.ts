import { codeMessage } from '@tocsin/contract/codes'
import type { Lang } from '@tocsin/contract/field'
import type { JobError } from '@tocsin/contract/files/job'
import { addHook } from '#db/transaction-hook'
import type { Row } from '#db/tables'
import { jobFinished } from '#jobs/run'
import { publishSystemNotice } from './system-notice.ts'
import { preferredLanguage } from '#areas/access/people/profile/preference'
import { escapeHtml, type Titled } from '#areas/files/export/job'

const why = ({ code, msg, params }: JobError, lang: Lang): string =>
  codeMessage({ code, msg, ...(params && { params }) }, lang)

/** For an import, what became of its rows, because not all are written; for other jobs the number of rows. */
const written = ({ counts, total }: Row<'job'>, lang: Lang): string => {
  const of = new Map(Object.entries(counts as Record<string, number>))
  const [created, updated, bad] = ['created', 'updated', 'bad'].map((name) => of.get(name) ?? 0)
  if (of.has('created') || of.has('updated'))
    return lang === 'en'
      ? `: ${created} created, ${updated} updated, ${bad} rows left out`
      : `：新增 ${created} 行，更新 ${updated} 行，未导入 ${bad} 行`
  if (total === null) return ''
  return lang === 'en' ? `: ${total} rows` : `，共 ${total} 行`
}

const inChinese = (job: Row<'job'>, name: string) =>
  job.error
    ? { title: `任务失败：${name}`, text: `后台任务“${name}”失败：${why(job.error, 'zh-cn')}。` }
    : { title: `任务已完成：${name}`, text: `后台任务“${name}”已完成${written(job, 'zh-cn')}。` }

const inEnglish = (job: Row<'job'>, name: string) =>
  job.error
    ? { title: `Failed: ${name}`, text: `The job “${name}” failed. ${why(job.error, 'en')}.` }
    : { title: `Finished: ${name}`, text: `The job “${name}” is finished${written(job, 'en')}.` }

const textOf = (job: Row<'job'>, lang: Lang) => {
  const { title: name } = job.data as Titled
  const { title, text } = lang === 'en' ? inEnglish(job, name) : inChinese(job, name)
  return { title, content: `<p>${escapeHtml(text)}</p>`, publisherName: lang === 'en' ? 'System' : '系统' }
}

/** Notifies the owner of a finished job, on any page, with a link to the job and its file. */
export const noticeJobFinished = addHook(jobFinished, async (trx, job) => {
  const { id: jobId, userId } = job
  if (userId === null) return
  await publishSystemNotice(trx, { jobId }, { ...textOf(job, await preferredLanguage(trx, userId)), userIds: [userId] })
})
