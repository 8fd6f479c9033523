-- The demo page of a document is a page of its own under the demos; `/document` is the guide, which everybody has.
update menu set path = 'document' where component_name = 'DemoDocument' and path = '/document';
