import { Button, Form } from 'antd'
import type { MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Readable } from '../screen/Readable.tsx'
import { isSame } from './newer.ts'
import { useTheirs } from './Theirs.tsx'

type Props = {
  name: string
  label: string
  /** The Form.List of that name. */
  children: ReactNode
}

/** Rows that belong to one: his below the own ones, in a form of their own that is there to be read. */
export const TheirRows = ({ name, label, children }: Props) => {
  const { t } = useTranslation()
  const form = Form.useFormInstance()
  const theirs = useTheirs(name)
  const mine: unknown = Form.useWatch(name, { form, preserve: true })
  const take = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    // This button goes with the difference; the focus stays here.
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
          <Readable>
            <Form
              key={JSON.stringify(theirs.value)}
              component={false}
              name="theirs"
              layout="vertical"
              initialValues={{ [name]: theirs.value }}
            >
              {children}
            </Form>
          </Readable>
        </div>
      )}
    </div>
  )
}
