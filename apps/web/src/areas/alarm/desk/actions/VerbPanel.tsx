import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { codes } from '@tocsin/contract/codes'
import { Alert, Button, Flex, Form } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { ApiError } from '#api/error.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { restoreFocus } from '#ui/overlay/focus.ts'
import { toDraft, markErrors } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { isStale } from '#ui/edit-conflict/remote-row.ts'
import { useRevalidateOnLanguage } from '#ui/responsive/use-revalidate-on-language.ts'
import { diffRecords } from './diff-records.ts'
import { Fields } from './Fields.tsx'
import { actionState } from './available-actions.ts'
import { type Body, submitVerb, recordFromError } from './submit-verb.ts'
import type { Draft, Panel } from './use-panel.ts'
import { usePerson } from './use-person.ts'
import { errorReasonText, reasonText } from './reason-text.ts'

type Props = {
  /** What was asked for, of the record as the person saw it when he began. */
  panel: Panel
  /** The record as it is. */
  record: WarnRecordRow
  /** What was typed before another alarm came in between. */
  draft: Draft | undefined
  /** It is being sent, perhaps since before its person was away. */
  busy: boolean
  onDraft: (values: Draft) => void
  onAgree: (current: WarnRecordRow) => void
  onSend: (act: () => Promise<void>) => void
  onDone: (done: WarnRecordRow) => void
  onLeave: () => void
}

/** What somebody else did since the form was opened; the person decides with that in view. */
const Changed = ({ base, current, onAgree }: { base: WarnRecordRow; current: WarnRecordRow; onAgree: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const changes = diffRecords(base, current, lang)
  return (
    <Alert
      type="warning"
      showIcon
      className="desk-changed"
      title={t('desk.changedTitle')}
      description={
        <>
          <ul>
            {changes.map(({ key, label, before, after }) => (
              <li key={key}>
                {label}: <del>{before}</del> → <b>{after}</b>
              </li>
            ))}
            {changes.length === 0 && <li>{t('desk.changedOther')}</li>}
          </ul>
          <Button size="small" onClick={onAgree}>
            {t('desk.changedAgree')}
          </Button>
        </>
      }
    />
  )
}

const newest = (record: WarnRecordRow, told: WarnRecordRow | undefined): WarnRecordRow =>
  told && told.version > record.version ? told : record

const hasVersion = (body: z.ZodObject): boolean => 'version' in body.shape

/**
 * What the form leaves without focus goes to the button it came from, else stays with the record it was about: of an act
 * that is done the button may be there for a moment more only.
 */
const giveBack = (before: Element | null, sheet: HTMLElement | null | undefined): void => {
  requestAnimationFrame(() => {
    const now = document.activeElement
    if (now !== document.body && !now?.closest('[role="dialog"]')) return
    const there = before instanceof HTMLElement && before !== document.body && before.isConnected
    const to = there ? before : sheet
    // The question whether it may be dropped stands for a moment longer than the form.
    if (to) restoreFocus(to)
  })
}

/** The form of one verb, beside the record and not above it; the queue stays in sight. */
export const VerbPanel = ({
  panel: { verb, record: base, stale },
  record,
  draft,
  busy,
  onDraft,
  onAgree,
  onSend,
  onDone,
  onLeave,
}: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  useRevalidateOnLanguage(form)
  const person = usePerson()
  const panel = useRef<HTMLElement>(null)
  const acted = useRef(false)
  const [told, setTold] = useState(stale)
  const [error, setError] = useState<string>()
  const current = newest(record, told)
  const why = actionState(verb, current, person)
  const body: z.ZodObject = warnRecords[verb].body
  const changed = current.version > base.version
  useEffect(() => {
    const before = document.activeElement
    const sheet = panel.current?.closest<HTMLElement>('.desk-detail')
    panel.current?.scrollIntoView({ block: 'nearest' })
    const first = panel.current?.querySelector<HTMLElement>('input,textarea,button')
    first?.focus({ preventScroll: true })
    return () => giveBack(acted.current ? null : before, sheet)
  }, [])
  const refused = (reason: unknown) => {
    // He went on to another alarm: the form cannot say it any more.
    if (!panel.current)
      return notify.notification(`${enumLabel('verb', verb, lang)} · ${record.no}`, errorReasonText(reason, lang))
    const now = recordFromError(reason)
    if (now) setTold(now)
    const others = reason instanceof ApiError ? markErrors(form, reason.errors, lang) : []
    const shown = reason instanceof ApiError && reason.errors.length > 0 && others.length === 0
    setError(isStale(reason) || shown ? undefined : errorReasonText(reason, lang))
  }
  const send = async (values: Record<string, unknown>) => {
    setError(undefined)
    const given = { ...values, id: record.id, ...(hasVersion(body) && { version: base.version }) }
    try {
      // The contract's body has an id, whatever else the verb asks.
      const done = await submitVerb(verb, toDraft(body, given) as Body)
      acted.current = true
      notify.success(t('desk.done', { verb: enumLabel('verb', verb, lang) }))
      onDone(done)
    } catch (reason) {
      refused(reason)
    }
  }
  const gone = why === 'hidden' ? codes.wrongState : why === 'free' ? undefined : why
  return (
    <section className="desk-panel" ref={panel} aria-label={enumLabel('verb', verb, lang)}>
      <h3>{enumLabel('verb', verb, lang)}</h3>
      {changed && (
        <Changed
          base={base}
          current={current}
          onAgree={() => {
            onAgree(current)
            setError(undefined)
          }}
        />
      )}
      {error && <Alert type="error" showIcon title={error} className="desk-changed" />}
      {gone && <Alert type="info" showIcon className="desk-changed" title={reasonText(gone, current, lang)} />}
      <Form
        form={form}
        layout="vertical"
        initialValues={draft ?? {}}
        disabled={busy}
        onValuesChange={(_, values: Draft) => onDraft(values)}
        onFinish={(values) => onSend(() => send(values))}
      >
        <Fields verb={verb} record={current} />
        <Flex gap="small">
          <Button type="primary" htmlType="submit" loading={busy} disabled={changed || gone !== undefined}>
            {enumLabel('verb', verb, lang)}
          </Button>
          <Button onClick={onLeave} disabled={false} title="Esc">
            {t('list.cancel')}
          </Button>
        </Flex>
      </Form>
    </section>
  )
}
