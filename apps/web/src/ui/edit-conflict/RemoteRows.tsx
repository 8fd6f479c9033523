import { Button, Form } from 'antd'
import type { MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ReadOnlyControls } from '../responsive/ReadOnlyControls.tsx'
import { isSame } from './remote-row.ts'
import { useRemoteValue } from './RemoteValue.tsx'

type Props = {
  name: string
  label: string
  /** The Form.List of that name. */
  children: ReactNode
}

/** Rows of a list: the other user's below the own ones, in a read-only form. */
export const RemoteRows = ({ name, label, children }: Props) => {
  const { t } = useTranslation()
  const form = Form.useFormInstance()
  const theirs = useRemoteValue(name)
  const mine: unknown = Form.useWatch(name, { form, preserve: true })
  const take = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    // This button disappears with the difference; the focus stays here.
    currentTarget.closest<HTMLElement>('.their-rows')?.focus()
    form.setFieldValue(name, theirs?.value)
  }
  return (
    <div className="their-rows" tabIndex={-1}>
      {children}
      {theirs && !isSame(mine, theirs.value) && (
        <div className="theirs" role="group" aria-label={t('list.theirsOf', { name: label })}>
          <span>{t('list.theirs')}</span>
          <Button size="small" type="link" onClick={take}>
            {t('list.takeTheirs')}
          </Button>
          <ReadOnlyControls>
            <Form
              key={JSON.stringify(theirs.value)}
              component={false}
              name="theirs"
              layout="vertical"
              initialValues={{ [name]: theirs.value }}
            >
              {children}
            </Form>
          </ReadOnlyControls>
        </div>
      )}
    </div>
  )
}
