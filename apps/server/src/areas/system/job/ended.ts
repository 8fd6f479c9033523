import { sentence } from '@tocsin/contract/codes'
import type { Lang } from '@tocsin/contract/field'
import type { JobError } from '@tocsin/contract/system/job'
import { on } from '#db/fact'
import type { Row } from '#db/tables'
import { jobEnded } from '#jobs/run'
import { publishBySystem } from '../notice/by-system.ts'
import { languageOf } from '../profile/preference.ts'
import type { Titled } from './job.ts'

/** What a person names his file is text, not markup. */
const plain = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const why = ({ code, msg, params }: JobError, lang: Lang): string =>
  sentence({ code, msg, ...(params && { params }) }, lang)

const inChinese = ({ error, total }: Row<'job'>, name: string) =>
  error
    ? { title: `任务失败：${name}`, text: `后台任务“${name}”失败：${why(error, 'zh-cn')}。` }
    : { title: `任务已完成：${name}`, text: `后台任务“${name}”已完成${total === null ? '' : `，共 ${total} 行`}。` }

const inEnglish = ({ error, total }: Row<'job'>, name: string) =>
  error
    ? { title: `Failed: ${name}`, text: `The job “${name}” failed. ${why(error, 'en')}.` }
    : { title: `Finished: ${name}`, text: `The job “${name}” is finished${total === null ? '' : `: ${total} rows`}.` }

const textOf = (job: Row<'job'>, lang: Lang) => {
  const { title: name } = job.data as Titled
  const { title, text } = lang === 'en' ? inEnglish(job, name) : inChinese(job, name)
  return { title, content: `<p>${plain(text)}</p>`, publisherName: lang === 'en' ? 'System' : '系统' }
}

/** Whoever waits for a job finds in his bell how it ended, wherever he is by then, and by it the job with its file. */
export const noteEnd = on(jobEnded, async (trx, job) => {
  const { id: jobId, userId } = job
  if (userId === null) return
  await publishBySystem(trx, { jobId }, { ...textOf(job, await languageOf(trx, userId)), userIds: [userId] })
})
