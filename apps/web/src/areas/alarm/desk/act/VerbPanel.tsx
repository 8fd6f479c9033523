import type { WarnRecordRow } from '@tocsin/contract/alarm/record'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { codes } from '@tocsin/contract/codes'
import { Alert, Button, Flex, Form } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { ApiError } from '#api/error.ts'
import { useUnsaved } from '#shell/unsaved.ts'
import { useLang } from '#texts/i18n.ts'
import { word } from '#texts/words.ts'
import { draftOf, markErrors } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { isStale } from '#ui/stale/newer.ts'
import { changesOf } from './changes.ts'
import { Fields } from './Fields.tsx'
import { offer, type PersonVerb } from './offer.ts'
import { type Body, perform, recordOf } from './perform.ts'
import { usePerson } from './use-person.ts'
import { refusalText, whyText } from './why.ts'

type Props = {
  verb: PersonVerb
  record: WarnRecordRow
  /** The record as the person saw it when he began. */
  base: WarnRecordRow
  initial?: Record<string, unknown>
  /** The record a press without a form was refused for, to be shown against the one it was meant for. */
  stale?: WarnRecordRow | undefined
  onDone: () => void
}

/** What somebody else did since the form was opened; the person decides with that in view. */
const Changed = ({ base, current, onAgree }: { base: WarnRecordRow; current: WarnRecordRow; onAgree: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const changes = changesOf(base, current, lang)
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

const newest = (...records: (WarnRecordRow | undefined)[]): WarnRecordRow =>
  // At least one is given: the first.
  records.filter((one) => one !== undefined).sort((one, other) => other.version - one.version)[0] as WarnRecordRow

const hasVersion = (body: z.ZodObject): boolean => 'version' in body.shape

/**
 * What the form leaves without focus goes to the button it came from, else stays with the record it was about: of an act
 * that is done the button may be there for a moment more only.
 */
const giveBack = (before: Element | null, sheet: HTMLElement | null | undefined): void => {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    const there = before instanceof HTMLElement && before !== document.body && before.isConnected
    const to = there ? before : sheet
    to?.focus({ preventScroll: true })
  })
}

/** The form of one verb, beside the record and not above it; the queue stays in sight. */
export const VerbPanel = ({ verb, record, base: begun, initial = {}, stale, onDone }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  useUnsaved(() => form.isFieldsTouched())
  const person = usePerson()
  const panel = useRef<HTMLElement>(null)
  const acted = useRef(false)
  const [agreed, setAgreed] = useState<WarnRecordRow>()
  const base = newest(begun, agreed)
  const [told, setTold] = useState(stale)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const current = newest(record, told)
  const why = offer(verb, current, person)
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
    const now = recordOf(reason)
    if (now) setTold(now)
    const others = reason instanceof ApiError ? markErrors(form, reason.errors, lang) : []
    const shown = reason instanceof ApiError && reason.errors.length > 0 && others.length === 0
    setError(isStale(reason) || shown ? undefined : refusalText(reason, lang))
  }
  const send = async (values: Record<string, unknown>) => {
    setBusy(true)
    setError(undefined)
    const given = { ...values, id: record.id, ...(hasVersion(body) && { version: base.version }) }
    try {
      // The contract's body has an id, whatever else the verb asks.
      await perform(verb, draftOf(body, given) as Body)
      acted.current = true
      notify.success(t('desk.done', { verb: word('verb', verb, lang) }))
      onDone()
    } catch (reason) {
      refused(reason)
    } finally {
      setBusy(false)
    }
  }
  const gone = why === 'hidden' ? codes.wrongState : why === 'free' ? undefined : why
  return (
    <section className="desk-panel" ref={panel} aria-label={word('verb', verb, lang)}>
      <h3>{word('verb', verb, lang)}</h3>
      {changed && (
        <Changed
          base={base}
          current={current}
          onAgree={() => {
            setAgreed(current)
            setError(undefined)
          }}
        />
      )}
      {error && <Alert type="error" showIcon title={error} className="desk-changed" />}
      {gone && <Alert type="info" showIcon className="desk-changed" title={whyText(gone, current, lang)} />}
      <Form
        form={form}
        layout="vertical"
        initialValues={initial}
        disabled={busy}
        onFinish={(values) => void send(values)}
      >
        <Fields verb={verb} record={current} />
        <Flex gap="small">
          <Button type="primary" htmlType="submit" loading={busy} disabled={changed || gone !== undefined}>
            {word('verb', verb, lang)}
          </Button>
          <Button onClick={onDone} disabled={false} title="Esc">
            {t('list.cancel')}
          </Button>
        </Flex>
      </Form>
    </section>
  )
}
