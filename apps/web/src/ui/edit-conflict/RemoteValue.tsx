import { type Lang, labelIn } from '@tocsin/contract/field'
import { Button, Form, type FormInstance } from 'antd'
import { cloneElement, createContext, isValidElement, type MouseEvent, type ReactNode, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { useLang } from '#texts/i18n.ts'
import { ReadOnlyControls } from '../responsive/ReadOnlyControls.tsx'
import { ConflictAlert } from './ConflictAlert.tsx'
import { isSame, type Values } from './remote-row.ts'
import type { EditConflict } from './use-edit-conflict.ts'

const EditConflictContext = createContext<EditConflict | undefined>(undefined)

/** Around the fields of a form with an edit conflict. */
export const EditConflictProvider = EditConflictContext.Provider

/** The other user's value of a field that both changed. */
export const useRemoteValue = (name: string | undefined): { value: unknown } | undefined => {
  const context = useContext(EditConflictContext)
  return name !== undefined && context?.conflicting.includes(name) ? { value: context.values[name] } : undefined
}

/** The element of a field that takes the focus; the input behind an upload is not visible. */
const CONTROL =
  'input:enabled:not([type=file]), textarea:enabled, button:enabled, [contenteditable=true], [tabindex="0"]'

type Props = { name: string; value: unknown; label: string; valueProp: string; children: ReactNode }

/**
 * The other user's value below the own one, as long as they differ: in the field's own control, which knows how to show
 * it.
 */
export const RemoteValue = ({ name, value, label, valueProp, children }: Props) => {
  const { t } = useTranslation()
  const form = Form.useFormInstance()
  const mine: unknown = Form.useWatch(name)
  if (isSame(mine, value) || !isValidElement<Record<string, unknown>>(children)) return null
  const theirs = t('list.theirsOf', { name: label })
  const shown = {
    id: undefined,
    disabled: true,
    autoFocus: false,
    [valueProp]: value,
    onChange: () => undefined,
    'aria-label': theirs,
  }
  const take = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    // This button disappears with the difference; the focus stays at the field.
    currentTarget.closest('.ant-form-item')?.querySelector<HTMLElement>(CONTROL)?.focus()
    form.setFieldValue(name, value)
  }
  return (
    // Not every control accepts a name.
    <div className="theirs" role="group" aria-label={theirs}>
      <span>{t('list.theirs')}</span>
      <Button size="small" type="link" onClick={take}>
        {t('list.takeTheirs')}
      </Button>
      <ReadOnlyControls>{cloneElement(children, shown)}</ReadOnlyControls>
    </div>
  )
}

/** The conflicting values that have a field now, and the fields whose own values still differ. */
const useVisibleConflict = (form: FormInstance, value: EditConflict | undefined) => {
  // Triggers the comparison; its value lacks the fields that were emptied.
  Form.useWatch([], form)
  if (!value) return { followed: [], met: [], differing: [] }
  const values: Values = form.getFieldsValue()
  // For rows of a list, the former holds only what is filled in.
  const kept: Values = form.getFieldsValue(true)
  const met = value.conflicting.filter((name) => name in values)
  return {
    followed: value.merged.filter((name) => name in values),
    met,
    differing: met.filter((name) => !isSame(kept[name], value.values[name])),
  }
}

const labels = (of: z.ZodObject, names: readonly string[], lang: Lang): string =>
  names
    // See ui/form.ts fieldIssues for the type of a shape.
    .map((name) => labelIn(lang, of.shape[name] as z.ZodType))
    .join(lang === 'en' ? ', ' : '、')

/** The label of the form's button: saving replaces what the other user saved, where the values differ. */
export const SaveLabel = ({ told, form }: { told: EditConflict | undefined; form: FormInstance }) => {
  const { t } = useTranslation()
  const { differing } = useVisibleConflict(form, told)
  return t(differing.length > 0 ? 'list.saveMine' : 'list.save')
}

/** Above the fields: what the other user changed, and how it was merged here. */
export const ConflictSummary = ({ told, form }: { told: EditConflict; form: FormInstance }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { followed, met, differing } = useVisibleConflict(form, told)
  const takeAll = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    // This button disappears with the differences; the focus stays here.
    currentTarget.closest<HTMLElement>('.meanwhile')?.focus()
    form.setFieldsValue(Object.fromEntries(told.conflicting.map((name) => [name, told.values[name]])))
  }
  const nothing = followed.length === 0 && met.length === 0
  return (
    <ConflictAlert told={told}>
      {nothing && <p>{t('list.staleNoConflict')}</p>}
      {followed.length > 0 && <p>{t('list.staleFollowed', { names: labels(told.of, followed, lang) })}</p>}
      {differing.length > 0 && (
        <>
          <p>{t('list.staleDiffering', { names: labels(told.of, differing, lang) })}</p>
          <Button size="small" onClick={takeAll}>
            {t('list.takeAllTheirs')}
          </Button>
        </>
      )}
    </ConflictAlert>
  )
}
