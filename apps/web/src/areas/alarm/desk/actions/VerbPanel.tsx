import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { warnRecords } from '@tocsin/contract/alarm/records'
import type { StoredFileInfo } from '@tocsin/contract/files/file'
import { codes } from '@tocsin/contract/codes'
import { Alert, Button, Flex, Form } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { ApiError } from '#api/error.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { restoreFocus } from '#ui/overlay/focus.ts'
import { toAttachmentDrafts } from '#ui/attachment/attachment-drafts.ts'
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
  /** The chosen verb, with the record as the user saw it at the start. */
  panel: Panel
  /** The current record. */
  record: WarnRecordRow
  /** The input typed before the user switched to another alarm. */
  draft: Draft | undefined
  /** It is being submitted, perhaps since before the user switched away. */
  busy: boolean
  onDraft: (values: Draft) => void
  onAgree: (current: WarnRecordRow) => void
  onSend: (act: () => Promise<void>) => void
  onDone: (done: WarnRecordRow) => void
  onLeave: () => void
}

/** Changes by other users since the form was opened, shown to the deciding user. */
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

const newest = (record: WarnRecordRow, value: WarnRecordRow | undefined): WarnRecordRow =>
  value && value.version > record.version ? value : record

const hasVersion = (body: z.ZodObject): boolean => 'version' in body.shape

/**
 * The focus returns to the button that opened the form, or stays within the record: after a finished verb its button
 * may disappear soon.
 */
const giveBack = (before: Element | null, sheet: HTMLElement | null | undefined): void => {
  requestAnimationFrame(() => {
    const now = document.activeElement
    if (now !== document.body && !now?.closest('[role="dialog"]')) return
    const there = before instanceof HTMLElement && before !== document.body && before.isConnected
    const to = there ? before : sheet
    // The discard question stays a moment longer than the form.
    if (to) restoreFocus(to)
  })
}

/** The form of one verb, beside the record and not over it; the queue stays visible. */
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
  const [state, setTold] = useState(stale)
  const [error, setError] = useState<string>()
  const current = newest(record, state)
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
    // The user switched to another alarm, so the form cannot show the error.
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
    const files = values['attachments'] as readonly StoredFileInfo[] | undefined
    const sent = files ? { ...values, attachments: toAttachmentDrafts(files) } : values
    const given = { ...sent, id: record.id, ...(hasVersion(body) && { version: base.version }) }
    try {
      // The contract's body has an id for every verb.
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
